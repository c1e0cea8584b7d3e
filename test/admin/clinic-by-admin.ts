/** A clinic with someone to book with and a key, by the operator's command line. */
export async function aClinicByAdmin(admin: (...words: string[]) => Promise<Record<string, unknown>>) {
  const tenant = await admin('tenant', 'create', '--name', 'Aurora', '--specialty', 'dental');
  const of = ['--tenant', String(tenant['id'])];
  const { key } = await admin('key', 'create', ...of);
  const ana = ['--name', 'Ana', '--specialty', 'Dentistry'];
  const professional = await admin('professional', 'create', ...of, ...ana);
  const service = await admin('service', 'create', ...of, '--name', 'Check-up', '--duration', '30');
  return {
    key: String(key),
    professionalId: String(professional['id']),
    serviceTypeId: String(service['id']),
  };
}
