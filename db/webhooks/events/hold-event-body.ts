import { tables, type EntityManager } from '../../connection/statements.ts';

/** Whether the event can still be sent; if so, its body does not go before the transaction ends. */
export async function holdEventBody(em: EntityManager, tenantId: string, eventId: string): Promise<boolean> {
  const events = tables(em)
    .selectFrom('webhook_event')
    .where('tenantId', '=', tenantId)
    .where('id', '=', eventId);
  const kept = events.where('body', 'is not', null);
  return (await kept.forKeyShare().select('id').executeTakeFirst()) !== undefined;
}
