import { formatFor } from '../../dashboard/language/format.ts';
import type { Language } from '../../dashboard/language/language.ts';
import type { View } from '../../dashboard/layout/view.ts';

/** When the page is looked at, always, so that pictures of it can be compared. */
const NOW = new Date('2026-03-05T10:30:00Z');

/** Of the owner of a clinic that does not exist. */
export function galleryView(language: Language, assets: string, address: string): View {
  return {
    language,
    format: formatFor(language, 'Europe/Lisbon'),
    session: {
      sessionId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a03',
      tenantId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a01',
      clinicName: 'Clínica da Luz',
      clinicConfig: null,
      clinicCountry: 'PT',
      personId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a02',
      personName: 'Ana Martins',
      role: 'owner',
      portalLinkId: null,
      apiKeyId: null,
      scopes: null,
      formToken: 'none',
    },
    address,
    assets,
    guides: '/docs',
    now: NOW,
  };
}
