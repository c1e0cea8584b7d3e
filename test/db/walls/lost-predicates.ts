import { Client } from 'pg';

interface Statement {
  text: string;
  name?: string;
}

/** A condition that names the clinic by a parameter, and one that takes it from what was asked together. */
const BY_PARAMETER = /(?:\b\w+\.|"\w+"\.)?"?\btenant_id"? = \$(\d+)/g;
const BY_QUESTION = /(?:\b\w+\.)?\btenant_id = \w+\.clinic\b/g;

/** Those that are prepared for the role of requests before they are used. */
const OF_REQUESTS = new WeakSet<Client>();
const asSent = Client.prototype.query;
Client.prototype.query = function (this: Client, ...given: unknown[]): unknown {
  const [statement] = given;
  if (isStatement(statement) && statement.text.includes(`set_config('role'`)) OF_REQUESTS.add(this);
  return Reflect.apply(asSent, this, given);
} as typeof asSent;

/**
 * Until it is disposed of, every statement that requests send has lost the conditions that name its clinic, as if someone had
 * forgotten them. @returns how many statements have lost one
 */
export function losePredicates(): { lost: () => ReadonlySet<string> } & Disposable {
  const texts = new Set<string>();
  const intact = Client.prototype.query;
  const forgetful = function (this: Client, ...given: unknown[]): unknown {
    const [statement] = given;
    if (isStatement(statement) && OF_REQUESTS.has(this)) forget(statement, texts);
    return Reflect.apply(intact, this, given);
  };
  Client.prototype.query = forgetful as typeof intact;
  return {
    lost: () => texts,
    [Symbol.dispose]() {
      Client.prototype.query = intact;
    },
  };
}

function isStatement(given: unknown): given is Statement {
  return typeof given === 'object' && given !== null && 'text' in given && typeof given.text === 'string';
}

function forget(statement: Statement, texts: Set<string>): void {
  const { text, name } = statement;
  // The parameter stays, so that the others keep their numbers.
  const without = text.replaceAll(BY_PARAMETER, '$$$1::uuid IS NOT NULL').replaceAll(BY_QUESTION, 'true');
  if (without === text) return;
  texts.add(text);
  statement.text = without;
  if (name !== undefined) statement.name = `${name} forgetful`;
}
