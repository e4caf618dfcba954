export const legal = {
  operator: "Corsair Bay Harbour Company",
  address: "2 Example Quay, 11111 Sampleport, Exampleland",
  email: "quay@corsair.example",
  jurisdiction: "Sampleland",
  effectiveDate: "1 January 2027",
  minimumAge: 16,
  blockedCountries: "Cuba and Iran",
};
