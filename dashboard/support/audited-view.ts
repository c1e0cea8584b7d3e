import { recordAudit } from '../../commands/command-context.ts';
import type { PageRequest } from '../serving/page-request.ts';

/** Shows support rows of any clinic. Each view is recorded in the activity log before the rows are shown. */
export async function auditedView(
  { write, context }: PageRequest,
  kind: string,
  { id, tenantId }: { id: string; tenantId: string },
): Promise<void> {
  const audited = { action: 'support.viewed', tenantId, subjectId: id, details: { kind } } as const;
  await write((em) => recordAudit(em, audited, context));
}
