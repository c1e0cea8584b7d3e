import { ServiceError } from '../../domain/service-error.ts';

const RETRY_AFTER_SECONDS = 5;

/** Limits concurrency per name, such as an address or a clinic. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #refusal: string;
  readonly #counts = new Map<string, number>();

  /** @param refusal the error message when all places are taken */
  constructor(most: number, refusal: string) {
    this.#most = most;
    this.#refusal = refusal;
  }

  /** Takes a place and returns a function that releases it, to be called once. @throws `rate_limited` */
  enter(name: string): () => void {
    const taken = this.#counts.get(name) ?? 0;
    if (taken >= this.#most) {
      const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
      throw new ServiceError('rate_limited', this.#refusal, { headers });
    }
    this.#counts.set(name, taken + 1);
    return () => this.#leave(name);
  }

  #leave(name: string): void {
    const left = (this.#counts.get(name) ?? 0) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }
}
