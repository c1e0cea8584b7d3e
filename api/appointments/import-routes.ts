import type { z } from 'zod';
import { importAppointments } from '../../commands/appointments/import/import-appointments.ts';
import type { Visit, VisitOutcome } from '../../commands/appointments/import/visit.ts';
import { inSlices } from '../../db/connection/work-slices.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { checkValue } from '../contract/check-request.ts';
import { MAX_PROBLEMS, type FieldProblem } from '../../domain/service-error.ts';
import { answer, implement } from '../contract/implement.ts';
import { appointmentImportContracts, importItem, type importedItem } from './import.contract.ts';

export const appointmentImportRoutes = implement(appointmentImportContracts, ({ phoneHash }) => ({
  importAppointments: async ({ body, caller, context, write }) => {
    const { tenantId } = caller;
    const hash = (e164: string) => phoneHash({ tenantId, e164 });
    const checked = await checkItems(tenantId, body.items, hash);
    const visits = checked.flatMap(({ visit }) => visit ?? []);
    const run = { tenantId, context: { ...context, isQuiet: !body.events } };
    const outcomes = visits.length > 0 ? await write((em) => importAppointments(em, visits, run)) : [];
    const byVisit = new Map(visits.map((visit, at) => [visit, outcomes[at]]));
    const items = checked.map((item, at) =>
      presentItem(item, item.visit ? byVisit.get(item.visit) : undefined, at),
    );
    return answer(200, { items: withFirstProblems(items) });
  },
}));

interface CheckedItem {
  externalId: string | null;
  visit: Visit | null;
  /** Why the item was refused. */
  problems: readonly FieldProblem[];
}

/** Checks each item separately. If two items have the same ID, only the first is accepted. */
async function checkItems(
  tenantId: string,
  items: readonly unknown[],
  hash: (e164: string) => string,
): Promise<CheckedItem[]> {
  const places = new Map<string, number>();
  return inSlices(tenantId, [...items.entries()], ([at, item]) => {
    const externalId = externalIdOf(item);
    const first = externalId === null ? undefined : places.get(externalId);
    if (externalId !== null && first === undefined) places.set(externalId, at);
    return { externalId, ...checkItem(item, { at, first, hash }) };
  });
}

function checkItem(
  item: unknown,
  { at, first, hash }: { at: number; first: number | undefined; hash: (e164: string) => string },
): Omit<CheckedItem, 'externalId'> {
  const path = `body.items.${at}`;
  const { value, problems } = checkValue(importItem, item, path);
  const message = `is already used in this request, at body.items.${first}`;
  const twice = first === undefined ? [] : [{ path: `${path}.externalId`, message }];
  if (!value || problems.length > 0 || twice.length > 0)
    return { visit: null, problems: [...problems, ...twice] };
  const { patientPhone, source: _source, ...visit } = value;
  return { visit: { ...visit, patientPhoneHash: hash(patientPhone) }, problems: [] };
}

function externalIdOf(item: unknown): string | null {
  const { externalId } = (typeof item === 'object' && item !== null ? item : {}) as { externalId?: unknown };
  const { value, problems } = checkValue(importItem.shape.externalId, externalId, '');
  return value !== undefined && problems.length === 0 ? value : null;
}

/** The field to report for refusals that do not name a field. */
const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  invalid_status_transition: 'status',
  slot_conflict: 'startsAt',
  already_booked: 'startsAt',
};

type PresentedItem = z.input<typeof importedItem>;

/** Limits how many problems the response lists. Every refused item keeps its error code. */
function withFirstProblems(items: readonly PresentedItem[]): PresentedItem[] {
  let room = MAX_PROBLEMS;
  return items.map(({ errors = [], ...item }) => {
    const told = errors.slice(0, room);
    room -= told.length;
    return told.length > 0 ? { ...item, errors: told } : item;
  });
}

function presentItem(
  { externalId, problems }: CheckedItem,
  outcome: VisitOutcome | undefined,
  at: number,
): PresentedItem {
  if (!outcome) {
    return { externalId, result: 'refused', error: 'validation_failed', errors: [...problems] };
  }
  if (outcome.result !== 'refused') return { externalId, ...outcome };
  const { code, message, details } = outcome.error;
  const { errors = [{ path: `body.${FIELD_OF[code] ?? 'externalId'}`, message }] } = details;
  const inPlace = errors.map((each) => ({
    ...each,
    path: each.path.replace(/^body\./, `body.items.${at}.`),
  }));
  return { externalId, result: outcome.result, error: code, errors: inPlace };
}
