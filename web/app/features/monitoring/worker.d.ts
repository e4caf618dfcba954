/** The URL of the SDK's worker; see `scripts/monitoring-worker.ts`. */
declare module "virtual:monitoring-worker" {
  const address: string | undefined;
  export default address;
}
