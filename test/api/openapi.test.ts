import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { contracts } from '../../api/contracts.ts';
import { openApiDocument } from '../../api/openapi/document.ts';

const document = openApiDocument(contracts);

test('the committed copy is the document that the contracts make: run `npm run openapi`', async () => {
  const committed = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  const isStale = committed.trim() !== JSON.stringify(document, null, 2);
  expect(isStale).toBe(false);
});

test('every reference leads somewhere', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
  for (const [, path = ''] of references) {
    const target = path
      .split('/')
      .reduce<unknown>((place, name) => (place as Record<string, unknown> | undefined)?.[name], document);
    expect([path, target]).toEqual([path, expect.any(Object)]);
  }
});
