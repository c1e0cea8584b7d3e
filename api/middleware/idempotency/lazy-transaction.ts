import type { ClinicDatabase, EntityManager } from '../../../db/connection/open-database.ts';

/**
 * A transaction that begins when it is first used and stays open until `commit` or `rollback`: a request holds no
 * connection while it reads, or looks up a receiver's name, before it writes.
 * @param begin runs first; the transaction is not usable when it throws
 */
export function lazyTransaction(write: ClinicDatabase['write'], begin: (em: EntityManager) => Promise<void>) {
  const { promise: ending, resolve: end } = Promise.withResolvers<
    ((em: EntityManager) => Promise<void>) | null
  >();
  let begun: { em: Promise<EntityManager>; ended: Promise<void> } | null = null;

  function beginOnce() {
    if (begun) return begun;
    const { promise: em, resolve, reject } = Promise.withResolvers<EntityManager>();
    const ended = write(async (opened) => {
      await begin(opened);
      resolve(opened);
      const last = await ending;
      if (!last) throw new RolledBack();
      await last(opened);
    });
    ended.catch(reject);
    em.catch(leaveToTheUser);
    begun = { em, ended };
    return begun;
  }

  return {
    /** The transaction, begun at the first call. */
    use: () => beginOnce().em,
    /** Does the last work in it, beginning it if need be, and commits. */
    async commit<T>(last: (em: EntityManager) => Promise<T>): Promise<T> {
      const { promise: result, resolve } = Promise.withResolvers<T>();
      end(async (em) => resolve(await last(em)));
      await beginOnce().ended;
      return result;
    },
    /** Rolls back what was begun. */
    async rollback() {
      end(null);
      await begun?.ended.catch(leaveToTheUser);
    },
  };
}

class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/** What went wrong reaches whoever uses or commits the transaction; here it would be said twice. */
function leaveToTheUser(): void {}
