import { createCallNumberVault } from '../../../adapters/phones/call-numbers.ts';
import { markCalledBack, reopenCallBack } from '../../../commands/calls/call-back.ts';
import { asOperator } from '../../support/clinic.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import { aCall, phoneHash } from '../calls/a-call.ts';
import { idIn, type FormAt, type FormRow } from './form-rows.ts';

/** Each of another caller: who is called back is so for all calls. */
let callers = 0;
async function aMessage(dashboard: TestDashboard): Promise<FormAt> {
  callers += 1;
  const id = await aCall(dashboard, {
    outcome: 'voicemail',
    from: `+35191${String(callers).padStart(7, '0')}`,
  });
  return { page: `/calls/${id}`, action: `/calls/${id}/call-back` };
}

async function change(
  { database, clinic: { tenantId } }: TestDashboard,
  at: FormAt,
  by: typeof markCalledBack,
) {
  const numbers = await createCallNumberVault(database.ciphers, phoneHash).of(tenantId);
  await database.write((em) => by(em, { tenantId, callId: idIn(at), numbers }, asOperator()));
}

export const CALL_FORMS: Record<string, FormRow> = {
  '/calls/:id/call-back done': {
    by: 'rita',
    holds: ['status', 'done'],
    begin: aMessage,
    theirs: (dashboard, at) => change(dashboard, at, markCalledBack),
  },
  '/calls/:id/call-back open': {
    by: 'rita',
    holds: ['status', 'open'],
    async begin(dashboard) {
      const at = await aMessage(dashboard);
      await change(dashboard, at, markCalledBack);
      return at;
    },
    theirs: (dashboard, at) => change(dashboard, at, reopenCallBack),
  },
};
