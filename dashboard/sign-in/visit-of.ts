import { clientAddress } from '../../adapters/connections/client-address.ts';
import { deviceOf } from '../../adapters/identity/device-of.ts';
import type { Visit } from '../../commands/people/open-session.ts';
import type { DashboardContext } from '../serving/state.ts';

/** The device and address of a request. */
export function visitOf(ctx: DashboardContext, trustedHops: number): Omit<Visit, 'now'> {
  return { ...deviceOf(ctx.get('User-Agent')), address: clientAddress(ctx.req, trustedHops) };
}
