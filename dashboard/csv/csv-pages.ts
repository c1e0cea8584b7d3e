import { createCallNumberVault } from '../../adapters/phones/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { auditList } from '../audit/audit-list.ts';
import { clinicPage, type ClinicRequest, type PageRoute } from '../serving/page-request.ts';
import { csvDownload, type CsvList } from './csv-download.ts';
import type { CsvAddress } from './csv-link.ts';
import { deliveryList, requestList } from './integration-lists.ts';
import { callList, dayList } from './reception-lists.ts';

export interface CsvOptions {
  database: Pick<Database, 'ciphers'>;
  phoneHash: PhoneHash;
}

/** What the lists show, as files. They stand before the pages that take any id. */
export function csvPages({ database, phoneHash }: CsvOptions): PageRoute[] {
  const vault = createCallNumberVault(database.ciphers, phoneHash);
  return [
    csvPage('/appointments', 'appointments', dayList),
    csvPage('/calls', 'calls', async (request) => callList(request, await vault.of(request.tenantId))),
    csvPage('/integrations/deliveries', 'webhooks', deliveryList),
    csvPage('/integrations/requests', 'keys', requestList),
    csvPage('/settings/audit', 'audit', auditList),
  ];
}

function csvPage<Row>(
  address: CsvAddress,
  may: Parameters<typeof clinicPage>[2],
  list: (request: ClinicRequest) => CsvList<Row> | Promise<CsvList<Row>>,
): PageRoute {
  return clinicPage('GET', `${address}/csv`, may, async (request) =>
    csvDownload(request, await list(request)),
  );
}
