import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

export interface ComposeService {
  image?: string;
  build?: string;
  user?: string;
  restart?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  container_name?: string;
  profiles?: string[];
  healthcheck?: { test: string[] };
  read_only?: boolean;
  mem_limit?: string;
  networks?: string[] | Record<string, unknown>;
  network_mode?: string;
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
  cap_drop?: string[];
  security_opt?: string[];
}

export const composeText = readFileSync(join(PROJECT_ROOT, 'docker-compose.yml'), 'utf8');

/** docker-compose.yml with its anchors resolved and its variables as they stand. */
export const compose = parse(composeText, { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean }>;
};

export const services = Object.entries(compose.services);

/** What a part is told, by the names of its variables. */
export function environmentOf(service: string): Record<string, string> {
  const part = compose.services[service];
  if (!part) throw new Error(`docker-compose.yml has no part ${service}`);
  return part.environment ?? {};
}
