import { writeFile } from 'node:fs/promises';
import { contracts } from './resources.ts';
import { openApiDocument } from './openapi/document.ts';

/** `npm run openapi`: writes the committed copy of the document that `/openapi.json` serves. */
const path = new URL('../docs/openapi.json', import.meta.url);
await writeFile(path, `${JSON.stringify(openApiDocument(contracts), null, 2)}\n`);
