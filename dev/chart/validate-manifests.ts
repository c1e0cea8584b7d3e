import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseAllDocuments } from 'yaml';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

export interface Problem {
  manifest: string;
  message: string;
}

/** Where all schemas of a version look for what they have in common. */
const DEFINITIONS = '/api/_definitions.json';

/** @param directory the schemas of one version of Kubernetes, which know every field and refuse others */
export function createValidator(directory: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(read(join(directory, '_definitions.json')), DEFINITIONS);
  const known = new Map<string, ValidateFunction | null>();
  const validatorOf = (manifest: Manifest) => {
    const file = join(directory, fileOf(manifest));
    const found = known.get(file) ?? (existsSync(file) ? ajv.compile(read(file)) : null);
    known.set(file, found);
    return found;
  };
  return (manifests: string) => {
    let checked = 0;
    /** Kinds that Kubernetes itself does not know: those of operators. */
    const others: string[] = [];
    const problems: Problem[] = [];
    for (const manifest of manifestsIn(manifests)) {
      const validate = validatorOf(manifest);
      if (validate === null) others.push(`${manifest.kind} ${manifest.metadata.name}`);
      else checked += 1;
      if (validate?.(manifest) === false) problems.push(...problemsOf(manifest, validate));
    }
    return { checked, others, problems };
  };
}

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

/** `apps/v1` Deployment: `deployment-apps-v1.json`; of a group's name the first part. */
function fileOf({ apiVersion, kind }: Manifest): string {
  const [version, group] = apiVersion.split('/').reverse();
  const parts = [kind, ...(group === undefined ? [] : [group.split('.')[0]]), version];
  return `${parts.join('-').toLowerCase()}.json`;
}

function problemsOf({ kind, metadata }: Manifest, { errors }: ValidateFunction): Problem[] {
  return (errors ?? []).map(({ instancePath, message, params }) => ({
    manifest: `${kind} ${metadata.name}`,
    message: `${instancePath} ${message} ${JSON.stringify(params)}`,
  }));
}

function read(file: string): object {
  return JSON.parse(readFileSync(file, 'utf8')) as object;
}
