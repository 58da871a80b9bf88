const gibibyte = 1024 ** 3
/** What the databases and the rest of the machine need beside the workers. */
const besideBytes = 1.5 * gibibyte
/** What a worker takes at most, with a browser and the services that its tests start. */
const workerBytes = 1.75 * gibibyte

/** Tests wait for servers, browsers and clocks a third of their time. */
const filesPerCore = 1.5

/** Returns how many test files run at once: three for two cores, as far as memory goes, and two at least. */
export function workersOf(cores: number, memoryBytes: number): number {
  return Math.max(2, Math.min(Math.ceil(cores * filesPerCore), Math.floor((memoryBytes - besideBytes) / workerBytes)))
}
