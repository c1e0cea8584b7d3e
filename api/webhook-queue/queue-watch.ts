import type { Logger } from '../../adapters/logs/logger.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { EndpointIds } from '../../db/webhooks/endpoints/endpoint-deactivation.ts';
import { endpointsWithQueue } from '../../db/webhooks/queue/queued-deliveries.ts';

/** An event arrives within a second, with the time of the query and of the read. */
const LOOK_EVERY_MS = 800;
/** More readers get their empty page at once. */
const MAX_WAITING = 20_000;

interface QueueWatchOptions {
  database: Pick<Database, 'ofClinics'>;
  logger: Logger;
  /** Ends all waits. */
  leaving: AbortSignal;
}

/** The clinic of an endpoint, and the functions that end its readers' waits. */
interface Readers {
  tenantId: string;
  ends: Set<() => void>;
}

/** Lets readers wait for deliveries. One query looks for all readers of the process, and none while no one waits. */
export class QueueWatch {
  readonly #options: QueueWatchOptions;
  /** By endpoint. */
  readonly #waiting = new Map<string, Readers>();
  #count = 0;
  #isLooking = false;

  constructor(options: QueueWatchOptions) {
    this.#options = options;
    options.leaving.addEventListener('abort', () => this.#end([...this.#waiting.keys()]));
  }

  /** Resolves when the endpoint has deliveries, or after that time. */
  wait({ tenantId, endpointId }: EndpointIds, ms: number): Promise<void> {
    if (this.#options.leaving.aborted || this.#count >= MAX_WAITING) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const readers = this.#waiting.get(endpointId) ?? { tenantId, ends: new Set() };
    const end = () => {
      clearTimeout(timer);
      if (readers.ends.delete(end)) this.#count -= 1;
      if (readers.ends.size === 0) this.#waiting.delete(endpointId);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    readers.ends.add(end);
    this.#waiting.set(endpointId, readers);
    this.#count += 1;
    this.#lookSoon();
    return promise;
  }

  #lookSoon(): void {
    if (this.#isLooking || this.#waiting.size === 0) return;
    this.#isLooking = true;
    setTimeout(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  async #look(): Promise<void> {
    const { database, logger } = this.#options;
    try {
      if (this.#waiting.size > 0) {
        const asked = [...this.#waiting.keys()];
        const clinics = new Set([...this.#waiting.values()].map(({ tenantId }) => tenantId));
        this.#end(await database.ofClinics(clinics).read((em) => endpointsWithQueue(em, asked)));
      }
    } catch (error) {
      logger.warn({ err: error }, 'queues.not_looked_at');
    }
    this.#isLooking = false;
    this.#lookSoon();
  }

  #end(endpointIds: readonly string[]): void {
    for (const id of endpointIds) for (const end of this.#waiting.get(id)?.ends ?? []) end();
  }
}
