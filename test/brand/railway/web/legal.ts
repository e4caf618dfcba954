/** Who runs this portal. */
export const legal = {
  replaced: true,
  operator: "Night Railway Studio",
  address: "2 Sample Lane, 11111 Sampleton, Sampleland",
  email: "help@railway.example",
  jurisdiction: "Sampleland",
  effectiveDate: "1 March 2026",
  minimumAge: 16,
  blockedCountries: "Cuba, Iran, North Korea, Syria, Venezuela, Russia and Belarus",
};
