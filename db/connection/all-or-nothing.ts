import type { EntityManager } from './open-database.ts';

/** Runs `work` in a transaction (nested if `em` already has one) and rolls back if it returns null. */
export async function allOrNothing<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result | null>,
): Promise<Result | null> {
  try {
    return await em.transactional(async (inner) => {
      const result = await work(inner);
      if (result === null) throw new Nothing();
      return result;
    });
  } catch (error) {
    if (error instanceof Nothing) return null;
    throw error;
  }
}

class Nothing extends Error {}
