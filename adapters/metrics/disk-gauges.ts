import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from '@prometheus-io/client';

/** The values for a directory that cannot be read. */
const UNKNOWN = { bsize: NaN, blocks: NaN, bavail: NaN };

/** Gauges for the usage of the disks that this process writes to. */
export function createDiskGauges(registers: Registry[], disks: Readonly<Record<string, string>>): void {
  const size = new Gauge({
    name: 'disk_size_bytes',
    help: 'Size of the disk that holds this directory',
    labelNames: ['disk'],
    registers,
  });
  const free = new Gauge({
    name: 'disk_free_bytes',
    help: 'Free space that this process can use on the disk',
    labelNames: ['disk'],
    registers,
    async collect() {
      for (const [disk, directory] of Object.entries(disks)) {
        const found = await statfs(directory).catch(() => UNKNOWN);
        size.set({ disk }, found.bsize * found.blocks);
        free.set({ disk }, found.bsize * found.bavail);
      }
    },
  });
}
