import { Command } from 'commander';
import { flagOf, type AdminCommand } from './admin-command.ts';
import { appointmentCommands } from './commands/appointment-commands.ts';
import { auditCommands } from './commands/audit-commands.ts';
import { deliveryCommands } from './commands/delivery-commands.ts';
import { doctorCommand } from './commands/doctor-command.ts';
import { endpointCommands } from './commands/endpoint-commands.ts';
import { findCommand } from './commands/find-command.ts';
import { incidentCommand } from './commands/incident-command.ts';
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
import { vendorCheckCommand } from './commands/vendor-check-command.ts';
import { NO_VALUE } from './options.ts';

export interface Streams {
  stdout: { write(text: string): unknown; isTTY?: boolean };
  stderr: { write(text: string): unknown };
}

/** Options as commander parses them: an option without a value is true. */
type Typed = Record<string, string | true>;
type Handle = (command: AdminCommand, typed: Record<string, string>) => Promise<void>;

/** The commands, grouped by their first word. */
const GROUPS: Record<string, { summary: string; commands: AdminCommand[] }> = {
  tenant: { summary: 'Clinics', commands: tenantCommands },
  key: { summary: 'Manage the API keys of a clinic', commands: keyCommands },
  professional: { summary: 'Manage the professionals of a clinic', commands: professionalCommands },
  patient: { summary: 'Export or erase the data of a patient', commands: patientCommands },
  service: { summary: 'Manage the services of a clinic', commands: serviceCommands },
  appointment: { summary: 'Show appointments and their history', commands: appointmentCommands },
  endpoint: { summary: 'Manage the webhook endpoints of a clinic', commands: endpointCommands },
  portal: { summary: 'Give integration partners access to the webhook pages', commands: portalCommands },
  person: { summary: 'Manage the users of the dashboard', commands: personCommands },
  audit: { summary: 'Show the activity log and the access log', commands: auditCommands },
  secrets: { summary: 'Manage encryption and hash keys', commands: secretsCommands },
  delivery: { summary: 'Show, retry and resend webhook deliveries', commands: deliveryCommands },
  outbox: { summary: 'Manage tasks in the outbox', commands: outboxCommands },
};

const ALONE: readonly AdminCommand[] = [
  findCommand,
  doctorCommand,
  incidentCommand,
  reconcileCommand,
  vendorCheckCommand,
];

export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...Object.values(GROUPS).flatMap(({ commands }) => commands),
  ...ALONE,
];

/** Creates the program. Commander refuses unknown commands and options; schemas check the values. */
export function createProgram(streams: Streams, handle: Handle): Command {
  const program = configured(new Command('admin'), streams);
  program.description(
    "The operator's command line. It prints one JSON document to stdout (on a terminal, lists are tables) and messages to stderr.",
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

/** Makes commander throw instead of exiting, so that we set the exit code. */
function configured(command: Command, streams: Streams): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: (text) => void streams.stderr.write(text),
    })
    .helpCommand(false);
}
