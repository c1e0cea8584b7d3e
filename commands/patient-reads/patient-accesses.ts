import { listAuditEvents } from '../../db/audit/audit-events.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { listPatientReads, type PatientReadQuery } from '../../db/patient-reads/patient-reads.ts';
import { findActorNames } from '../../db/people/people.ts';
import { ACCESS_ACTIONS } from '../../domain/audit-action.ts';
import { instantOfId } from '../../domain/first-id.ts';
import type { ReadKind } from '../../domain/patient-read.ts';

/** An action in which someone saw or heard a patient. */
export type AccessAction = `${ReadKind}.read` | (typeof ACCESS_ACTIONS)[number];

/** Someone saw or heard patients. */
export interface PatientAccess {
  /** UUIDv7. */
  id: string;
  at: Date;
  actor: string;
  /** Null for actors without a name, such as the operator. */
  actorName: string | null;
  action: AccessAction;
  /** IDs of appointments or calls; if specific ones were requested, only those. */
  ids: string[];
  requestIds: string[];
}

/**
 * The access log, newest first: recorded views, and audit entries about recordings and the support desk.
 * @param wanted without `subjectIds`, the whole clinic
 */
export async function listPatientAccesses(
  em: EntityManager,
  wanted: PatientReadQuery,
): Promise<PatientAccess[]> {
  const found = [...(await fromReads(em, wanted)), ...(await fromAudit(em, wanted))];
  found.sort((one, other) => (one.id < other.id ? 1 : -1));
  const accesses = found.slice(0, wanted.limit);
  const actors = accesses.map(({ actor }) => actor);
  const names = await findActorNames(em, wanted.tenantId, actors);
  return accesses.map((access) => ({ ...access, actorName: names.get(access.actor) ?? null }));
}

type UnnamedAccess = Omit<PatientAccess, 'actorName'>;

async function fromReads(em: EntityManager, wanted: PatientReadQuery): Promise<UnnamedAccess[]> {
  const asked = wanted.subjectIds && new Set(wanted.subjectIds);
  const reads = await listPatientReads(em, wanted);
  return reads.map(({ id, actor, kind, subjectIds, requestIds }) => ({
    id,
    at: instantOfId(id),
    actor,
    action: `${kind}.read` as const,
    ids: asked ? subjectIds.filter((subject) => asked.has(subject)) : subjectIds,
    requestIds,
  }));
}

async function fromAudit(
  em: EntityManager,
  { subjectIds, ...wanted }: PatientReadQuery,
): Promise<UnnamedAccess[]> {
  const events = await listAuditEvents(em, {
    ...wanted,
    action: ACCESS_ACTIONS,
    ...(subjectIds && { subjectId: subjectIds }),
  });
  return events.map(({ id, at, actor, action, subjectId, requestId }) => ({
    id,
    at,
    actor,
    action: action as AccessAction,
    ids: subjectId === null ? [] : [subjectId],
    requestIds: requestId === null ? [] : [requestId],
  }));
}
