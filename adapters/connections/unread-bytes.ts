import { ServiceError } from '../../domain/service-error.ts';

/** docs/limits.md#slow-readers */
const MAX_OF_A_CLINIC = 64 * 1024 * 1024;
const MAX_OF_ALL = 160 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

/** Counts the response bytes in this process's memory that clients have not read yet. */
export class UnreadBytes {
  readonly #most: { ofAClinic: number; ofAll: number };
  readonly #clinics = new Map<string, number>();
  #total = 0;

  constructor(most: { ofAClinic?: number; ofAll?: number } = {}) {
    this.#most = { ofAClinic: MAX_OF_A_CLINIC, ofAll: MAX_OF_ALL, ...most };
  }

  get total(): number {
    return this.#total;
  }

  /** Refuses new work while too much is unread. @param clinicId null: unknown @throws `temporarily_unavailable` */
  requireRoom(clinicId: string | null): void {
    const ofClinic = clinicId === null ? 0 : this.#clinics.get(clinicId);
    if (this.#total <= this.#most.ofAll && (ofClinic ?? 0) <= this.#most.ofAClinic) return;
    throw new ServiceError(
      'temporarily_unavailable',
      'Earlier responses have not been read to the end. Read them, then try again.',
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }

  /** Counts bytes until the returned function is called, once. @param clinicId null: no clinic */
  hold(clinicId: string | null, bytes: number): () => void {
    this.#add(clinicId, bytes);
    return () => this.#add(clinicId, -bytes);
  }

  #add(clinicId: string | null, bytes: number): void {
    this.#total += bytes;
    if (clinicId === null) return;
    const left = (this.#clinics.get(clinicId) ?? 0) + bytes;
    if (left > 0) this.#clinics.set(clinicId, left);
    else this.#clinics.delete(clinicId);
  }
}
