import { uuidv7 } from 'uuidv7';
import { createCallNumberVault } from '../../../adapters/phones/call-numbers.ts';
import { createPhoneHash } from '../../../adapters/phones/phone-hash.ts';
import { CallEntity } from '../../../db/entities/calls/call.entity.ts';
import type { CallOutcome } from '../../../domain/calls/call.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';

/** As the dashboard of the tests hashes phones. */
export const phoneHash = createPhoneHash({ current: Buffer.alloc(32, 7) });

export interface ACall {
  from?: string;
  startedAt?: Date;
  /** Null: it is under way. */
  outcome?: CallOutcome | null;
  tenantId?: string;
}

/** A call that the clinic took, two minutes and five seconds long; returns its id. */
export async function aCall(
  { database, clinic }: Pick<TestDashboard, 'database' | 'clinic'>,
  { from = '+351911111111', startedAt = new Date(Date.now() - 300_000), ...more }: ACall = {},
): Promise<string> {
  const { outcome = 'info_only', tenantId = clinic.tenantId } = more;
  const own = { id: uuidv7(), tenantId };
  const numbers = await createCallNumberVault(database.ciphers, phoneHash).of(tenantId);
  const sealed = numbers.seal(own, { fromNumber: from, toNumber: '+351210000000' });
  const isOver = outcome !== null;
  await database.em().insert(CallEntity, {
    ...own,
    ...sealed,
    startedAt,
    endedAt: isOver ? new Date(startedAt.getTime() + 125_000) : null,
    outcome,
    status: isOver ? 'completed' : 'in_progress',
    telephonyCallControlId: 'carrier-1',
    transcriptionWordCount: 12,
    calledBackAt: null,
    calledBackBy: null,
  });
  return own.id;
}
