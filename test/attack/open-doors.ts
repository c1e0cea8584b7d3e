import { DAY_MS, expectBody, send, type Attack } from './target.ts';

/** Floods of bad keys have used up the limit of the usual one. */
const OWN_ADDRESS = '127.0.0.77';

/** A key rolls itself; then the old key is revoked. */
export const rollingKey: Attack = {
  name: 'a key that rolls itself and is revoked',
  async prepare(target) {
    const { apiUrl } = target;
    const clinic = await target.newClinic();
    return async () => {
      const me = await expectBody(send(apiUrl, 'GET', '/v1/api-keys/me', { key: clinic.key }));
      const path = `/v1/api-keys/${String(me['id'])}`;
      const rolled = await expectBody(send(apiUrl, 'POST', `${path}/roll`, { key: clinic.key, body: {} }));
      const successor = String(rolled['key']);
      await expectBody(send(apiUrl, 'POST', `${path}/revoke`, { key: clinic.key, body: {} }));
      for (const key of [clinic.key, successor]) {
        const { status } = await send(apiUrl, 'GET', '/v1/api-keys/me', { key, from: OWN_ADDRESS });
        if (status !== 401) throw new Error(`a key survives the revocation: ${status}`);
      }
      return 'both keys ended';
    };
  },
};

/** One key of idempotency for two bookings of an agent. */
export const secondBooking: Attack = {
  name: 'Idempotency-Key at /mcp, other arguments',
  async prepare(target) {
    const { apiUrl } = target;
    const { key, professionalId, serviceTypeId } = await target.newClinic();
    const book = (day: number) => {
      const startsAt = new Date(Math.ceil(Date.now() / DAY_MS + day) * DAY_MS + 36_000_000).toISOString();
      const patient = { patientName: 'Ana Martins', patientPhone: '+351912345678' };
      const given = { professionalId, serviceTypeId, startsAt, ...patient };
      const body = {
        jsonrpc: '2.0',
        id: day,
        method: 'tools/call',
        params: { name: 'book', arguments: given },
      };
      return send(apiUrl, 'POST', '/mcp', { key, body, headers: { 'idempotency-key': 'one' } });
    };
    return async () => {
      await expectBody(book(7));
      const second = await book(8);
      await book(7);
      const { items } = await expectBody(send(apiUrl, 'GET', '/v1/appointments', { key }));
      const count = (items as unknown[]).length;
      if (count !== 1) throw new Error(`${count} appointments under one Idempotency-Key`);
      if (!second.text.includes('idempotency_key_reused')) throw new Error('the second call was not refused');
      return 'one booking';
    };
  },
};
