/**
 * Who runs this portal, as the legal pages and the support pages name it. The values below are made up: replace every one,
 * and have the texts in `content/legal` read by a lawyer of your country, before the first real player signs up.
 */
export interface Legal {
  /** The company or person that answers for the portal, by its registered name. */
  operator: string;
  /** Postal address of the operator, on one line. */
  address: string;
  /** Where mail reaches the operator: questions, complaints, what we keep about somebody. */
  email: string;
  /** The country or state whose law applies, as it reads after "the law of". */
  jurisdiction: string;
  /** The day on which the present texts took effect, as players read it. Change it with every change of a text. */
  effectiveDate: string;
  /** From which age somebody may have an account, in years. The portal asks nobody for a date of birth. */
  minimumAge: number;
  /** The countries that are not served, as they read in a sentence. They are those of the setting FORBIDDEN_COUNTRIES. */
  blockedCountries: string;
}

export const legal: Legal = {
  operator: "Pantheon Demo Studio",
  address: "1 Example Street, 00000 Exampleton, Exampleland",
  email: "harbour-office@pantheon.example.org",
  jurisdiction: "Exampleland",
  effectiveDate: "21 November 2026",
  minimumAge: 18,
  blockedCountries: "Cuba, Iran, North Korea, Syria, Venezuela, Russia and Belarus",
};
