import { createCallNumberVault } from '../../adapters/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phone-hash.ts';
import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { auditList } from '../audit/audit-list.ts';
import { clinicPage, type ClinicRequest, type PageRoute } from '../page-request.ts';
import { csvDownload, type CsvList } from './csv-download.ts';
import type { CsvAddress } from './csv-link.ts';
import { deliveryList, requestList } from './integration-lists.ts';
import { callList, dayList } from './reception-lists.ts';

export interface CsvOptions {
  cipher: SecretCipher;
  phoneHash: PhoneHash;
}

/** What the lists show, as files. They stand before the pages that take any id. */
export function csvPages({ cipher, phoneHash }: CsvOptions): PageRoute[] {
  const numbers = createCallNumberVault(cipher, phoneHash);
  return [
    csvPage('/appointments', 'appointments', dayList),
    csvPage('/calls', 'calls', (request) => callList(request, numbers)),
    csvPage('/integrations/deliveries', 'webhooks', deliveryList),
    csvPage('/integrations/requests', 'keys', requestList),
    csvPage('/settings/audit', 'audit', auditList),
  ];
}

function csvPage<Row>(
  address: CsvAddress,
  may: Parameters<typeof clinicPage>[2],
  list: (request: ClinicRequest) => CsvList<Row>,
): PageRoute {
  return clinicPage('GET', `${address}/csv`, may, (request) => csvDownload(request, list(request)));
}
