import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { RowPosition } from '../../domain/reconcile.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';

export interface PageWanted {
  /** Where to continue; null to begin at the start. */
  after: RowPosition | null;
  limit: number;
  /** Younger rows are left out. */
  before: Date;
}

/** As JSON, so that instants are texts. */
export const ROW_POSITION = z.tuple([z.string(), z.string()]);

/** A row that needs a running workflow. */
export const ROW_WITH_WORKFLOW = z.object({
  id: z.string(),
  workflowId: z.string(),
  position: ROW_POSITION,
});
export type RowWithWorkflow = z.infer<typeof ROW_WITH_WORKFLOW>;

/** How rows of one kind are read and their workflows requested again. */
export interface ReconcilableRows {
  /** The next rows that have no unfinished outbox row. Fewer than the limit means that no more follow. */
  page(em: EntityManager, wanted: PageWanted): Promise<RowWithWorkflow[]>;
  /** Requests the workflows of the rows that still need one and are not locked; returns how many. */
  restart(em: EntityManager, ids: readonly string[]): Promise<number>;
}

/** A page of `wanted` in order of `id`; the query returns `id` and `workflowId`. */
export function pageById(em: EntityManager, wanted: RawBuilder<unknown>, { after, limit }: PageWanted) {
  return rowsOf(em, ROW_WITH_WORKFLOW)`
    SELECT id, workflow_id, json_build_array(id::text, '') AS position
    FROM (${wanted}) wanted
    WHERE ${after ? sql`id > ${after[0]}::uuid` : sql`true`}
    ORDER BY id
    LIMIT ${limit}
  `;
}
