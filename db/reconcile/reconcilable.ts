import { sql, type RawBuilder } from 'kysely';
import type { RowPosition } from '../../domain/reconcile.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';

export interface PageWanted {
  /** Null: from the beginning. */
  after: RowPosition | null;
  limit: number;
  /** Younger rows are left out. */
  before: Date;
}

/** A row whose workflow has to run. */
export interface RowWithWorkflow {
  id: string;
  workflowId: string;
  position: RowPosition;
}

/** How the rows of one kind are read, and their workflows asked for again. */
export interface ReconcilableRows {
  /** The next rows without an unfinished outbox row; at the end fewer than the limit. */
  page(em: EntityManager, wanted: PageWanted): Promise<RowWithWorkflow[]>;
  /** Asks for the workflows of those rows that still need one and that no one else holds; returns how many. */
  restart(em: EntityManager, ids: readonly string[]): Promise<number>;
}

/** A page of `wanted` that is read by `id` alone; the query names that and `workflowId`. */
export function pageById(em: EntityManager, wanted: RawBuilder<unknown>, { after, limit }: PageWanted) {
  return rowsOf<RowWithWorkflow>(em)`
    SELECT id, "workflowId", json_build_array(id::text, '') AS position
    FROM (${wanted}) wanted
    WHERE ${after ? sql`id > ${after[0]}::uuid` : sql`true`}
    ORDER BY id
    LIMIT ${limit}
  `;
}
