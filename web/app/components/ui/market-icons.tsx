import { Drawing, type IconProps } from "./icon";

// Separate from the other icons, so that pages without a market do not load them.

export const CartIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M3 4h3l2.4 11.2h10.2L21 7.5H7M9.5 19.5h.01M17.5 19.5h.01" />
  </Drawing>
);
export const RightIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M4 12h15m-6-6 6 6-6 6" />
  </Drawing>
);
export const SearchIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="m20 20-4.6-4.6M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13Z" />
  </Drawing>
);
export const FilterIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M3 6h18M7 12h10M10 18h4" />
  </Drawing>
);
export const WarningIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M12 4 2.5 20h19L12 4Zm0 6v4.5m0 2.7v.1" />
  </Drawing>
);
export const CheckIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="m4 12.5 5.2 5L20 6.5" />
  </Drawing>
);
export const ClockIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M12 7v5l3.2 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z" />
  </Drawing>
);
export const LockIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />
  </Drawing>
);
export const TrashIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13" />
  </Drawing>
);
export const WalletIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M3 6.5h15v3M3 6.5v12h18v-9H5.5A2.5 2.5 0 0 1 3 7M17 14h.01" />
  </Drawing>
);
