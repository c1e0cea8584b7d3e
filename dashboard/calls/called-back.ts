import type { Html } from '../../pages/html.ts';
import { doneNotice } from '../layout/components.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { ClinicRequest } from '../serving/page-request.ts';
import { ANYWHERE, localAddress } from '../sign-in/local-address.ts';
import { callBackForm } from './call-back-part.ts';
import { callIn } from './fill-in-caller.ts';
import { CALL_WORDS } from './words.ts';

/** The query parameter with the call that was just marked as called back. */
const CALLED_BACK = 'calledBack';

/**
 * The address of the page with the button, which then says what was done. @param callId null when the mark was undone
 */
export function withCallBack(address: string, callId: string | null): string {
  const url = new URL(localAddress(address), ANYWHERE);
  if (callId === null || url.pathname === `/calls/${callId}`) url.searchParams.delete(CALLED_BACK);
  else url.searchParams.set(CALLED_BACK, callId);
  return `${url.pathname}${url.search}`;
}

/** The confirmation that a list's address requests, because the call has left the list. */
export async function calledBack({ tenantId, query, view, read }: ClinicRequest): Promise<Html | null> {
  if (!query.has(CALLED_BACK)) return null;
  const call = await read((em) => callIn(em, tenantId, query, CALLED_BACK));
  if (!call || call.calledBackAt === null) return null;
  const { undo } = FRAME_WORDS[view.language];
  const { doneNow } = CALL_WORDS[view.language].callBack;
  return doneNotice(doneNow, callBackForm(view, call, { status: 'open', label: undo, className: 'link' }));
}
