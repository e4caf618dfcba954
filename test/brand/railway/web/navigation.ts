interface Entry {
  label: string;
  to: string;
}

export const navigation: (Entry | { label: string; flag: string; entries: Entry[] })[] = [
  { label: "Night Express", to: "/night-express" },
  { label: "Help", to: "/help" },
];

export const links: Entry[] = [
  { label: "Night Express", to: "/night-express" },
  { label: "News", to: "/news" },
];

export const smallPrint: Entry[] = [
  { label: "Help", to: "/help" },
  { label: "Terms of use", to: "/terms-of-use" },
  { label: "Privacy", to: "/privacy-policy" },
];
