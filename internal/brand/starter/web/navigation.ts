/** Our menus. */
interface Entry {
  label: string;
  to: string;
}

/** The main menu: pages, or groups of pages that a flag switches on. */
export const navigation: (Entry | { label: string; flag: string; entries: Entry[] })[] = [
  { label: "Quest", to: "/quest" },
  { label: "Support", to: "/support" },
];

/** The footer's links to pages. */
export const links: Entry[] = [
  { label: "Quest", to: "/quest" },
  { label: "News", to: "/news" },
];

/** The footer's last line. */
export const smallPrint: Entry[] = [
  { label: "Support", to: "/support" },
  { label: "Terms of use", to: "/terms-of-use" },
  { label: "Privacy", to: "/privacy-policy" },
];
