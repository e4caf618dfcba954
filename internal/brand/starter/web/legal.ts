/** Who runs this portal, as the legal texts and the support page name it. Replace every value. */
export const legal = {
  /** Whether all that is below is true and the texts in `content/legal` are ours. In production the portal does not start before. */
  replaced: false,
  /** Who answers for the portal, by the registered name. */
  operator: "Example Studio",
  /** Postal address, on one line. */
  address: "1 Example Street, 00000 Exampleton, Exampleland",
  email: "support@example.org",
  /** The country or state whose law applies, as it reads after "the law of". */
  jurisdiction: "Exampleland",
  /** The day on which the present texts took effect. */
  effectiveDate: "1 January 2026",
  /** From which age somebody may have an account, in years. */
  minimumAge: 18,
  /** The countries that are not served, as they read in a sentence: those of FORBIDDEN_COUNTRIES. */
  blockedCountries: "Cuba, Iran, North Korea, Syria, Venezuela, Russia and Belarus",
};
