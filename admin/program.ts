import { Command } from 'commander';
import { flagOf, type AdminCommand } from './admin-command.ts';
import { appointmentCommands } from './commands/appointment-commands.ts';
import { auditCommands } from './commands/audit-commands.ts';
import { deliveryCommands } from './commands/delivery-commands.ts';
import { doctorCommand } from './commands/doctor-command.ts';
import { endpointCommands } from './commands/endpoint-commands.ts';
import { findCommand } from './commands/find-command.ts';
import { keyCommands } from './commands/key-commands.ts';
import { outboxCommands } from './commands/outbox-commands.ts';
import { patientCommands } from './commands/patient-commands.ts';
import { personCommands } from './commands/person-commands.ts';
import { portalCommands } from './commands/portal-commands.ts';
import { professionalCommands } from './commands/professional-commands.ts';
import { reconcileCommand } from './commands/reconcile-command.ts';
import { secretsCommands } from './commands/secrets-commands.ts';
import { serviceCommands } from './commands/service-commands.ts';
import { tenantCommands } from './commands/tenant-commands.ts';
import { NO_VALUE } from './options.ts';

export interface Streams {
  stdout: { write(text: string): unknown; isTTY?: boolean };
  stderr: { write(text: string): unknown };
}

/** As commander parses them: an option without a value is true. */
type Typed = Record<string, string | true>;
type Handle = (command: AdminCommand, typed: Record<string, string>) => Promise<void>;

/** By their first word. */
const GROUPS: Record<string, { summary: string; commands: AdminCommand[] }> = {
  tenant: { summary: 'Clinics', commands: tenantCommands },
  key: { summary: 'API keys of a clinic', commands: keyCommands },
  professional: { summary: 'Who sees patients', commands: professionalCommands },
  patient: { summary: 'What a clinic knows of a patient', commands: patientCommands },
  service: { summary: 'What can be booked', commands: serviceCommands },
  appointment: { summary: 'Appointments and what became of them', commands: appointmentCommands },
  endpoint: { summary: 'Where a clinic receives its webhooks', commands: endpointCommands },
  portal: { summary: 'The dashboard’s webhook pages', commands: portalCommands },
  person: { summary: 'Who signs in to the dashboard', commands: personCommands },
  audit: { summary: 'Who did what', commands: auditCommands },
  secrets: { summary: 'What is stored encrypted', commands: secretsCommands },
  delivery: { summary: 'Webhook deliveries and their attempts', commands: deliveryCommands },
  outbox: { summary: 'What waits to be carried out', commands: outboxCommands },
};

const ALONE: readonly AdminCommand[] = [findCommand, doctorCommand, reconcileCommand];

export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...Object.values(GROUPS).flatMap(({ commands }) => commands),
  ...ALONE,
];

/** Commander refuses unknown commands and options; schemas check the values. */
export function createProgram(streams: Streams, handle: Handle): Command {
  const program = configured(new Command('admin'), streams);
  program.description(
    "The operator's command line: one JSON document on stdout, a list as a table on a terminal, messages on stderr.",
  );
  for (const [name, { summary, commands }] of Object.entries(GROUPS)) {
    const group = configured(program.command(name), streams).description(summary);
    for (const command of commands) addCommand(group, command, streams, handle);
  }
  for (const command of ALONE) addCommand(program, command, streams, handle);
  return program;
}

function addCommand(parent: Command, command: AdminCommand, streams: Streams, handle: Handle): void {
  const verb = command.words.split(' ').at(-1) ?? command.words;
  const child = configured(parent.command(verb), streams).description(command.summary);
  for (const [name, schema] of Object.entries(command.options)) {
    const { description = '', placeholder = 'value' } = schema.meta() ?? {};
    const isRequired = !schema.safeParse(undefined).success;
    if (name === command.argument) {
      child.argument(`<${name}>`, description);
      continue;
    }
    const value = placeholder === NO_VALUE ? '' : ` <${String(placeholder)}>`;
    child.option(`${flagOf(name)}${value}`, isRequired ? `${description} (required)` : description);
  }
  const { argument } = command;
  if (argument === undefined) child.action((typed: Typed) => handle(command, asText(typed)));
  else {
    child.action((value: string, typed: Typed) => handle(command, { ...asText(typed), [argument]: value }));
  }
}

function asText(typed: Typed): Record<string, string> {
  return Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value)]));
}

/** Commander would exit by itself; with this it throws, so that we set the exit code. */
function configured(command: Command, streams: Streams): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: (text) => void streams.stderr.write(text),
    })
    .helpCommand(false);
}
