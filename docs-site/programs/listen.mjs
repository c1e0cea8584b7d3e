#!/usr/bin/env node
// Reads the queue of a pull endpoint and passes each event to a local URL, as a webhook would arrive there.
// Node 20 or newer, no dependencies:
//
//   API_URL=https://… API_KEY=svc_… node listen.mjs ENDPOINT_ID http://127.0.0.1:8080/hook
//
// STATE_FILE (listen-ENDPOINT_ID.json) says how far it came. An event counts as passed when the local URL answers 2xx;
// until then it is sent again, so that no later one overtakes it. An event can arrive twice: remember its id.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [endpointId = '', target = ''] = process.argv.slice(2);
const { API_URL = '', API_KEY = '', STATE_FILE = `listen-${endpointId}.json` } = process.env;
if (!API_URL || !API_KEY || !/^[\da-f-]{36}$/i.test(endpointId) || !/^https?:\/\//.test(target)) {
  console.error(
    'Usage: API_URL=https://… API_KEY=svc_… node listen.mjs ENDPOINT_ID http://127.0.0.1:8080/hook',
  );
  process.exit(2);
}

const WAIT_SECONDS = 25;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

const state = readState();
let failures = 0;
while (!stopping.signal.aborted) {
  const page = await readQueue();
  if (!page) continue;
  for (const item of page.items) {
    if (!state.passed.includes(item.deliveryId)) await pass(item);
    if (stopping.signal.aborted) break;
  }
  // The next request acknowledges the page.
  if (!stopping.signal.aborted) saveState({ cursor: page.cursor, passed: [] });
}

async function readQueue() {
  const query = new URLSearchParams({ waitSeconds: String(WAIT_SECONDS) });
  if (state.cursor) query.set('cursor', state.cursor);
  const url = `${API_URL.replace(/\/+$/, '')}/v1/webhook-endpoints/${endpointId}/queue?${query}`;
  try {
    const answer = await fetch(url, {
      headers: { Authorization: `Bearer ${API_KEY}` },
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout((WAIT_SECONDS + 10) * 1000)]),
    });
    if (answer.ok) {
      const page = await answer.json();
      failures = 0;
      return page;
    }
    const said = await answer.text();
    // Trying again would not help: a wrong key, endpoint or state file.
    if (answer.status < 500 && ![408, 429].includes(answer.status)) {
      log(`the queue was refused: ${answer.status} ${said}`);
      process.exit(1);
    }
    // A gateway may send a date, which is no number of seconds.
    const askedSeconds = Number(answer.headers.get('retry-after')) || 0;
    await rest(`the queue answered ${answer.status}`, askedSeconds * 1000);
  } catch (error) {
    if (!stopping.signal.aborted) await rest(`the queue cannot be reached: ${reasonOf(error)}`);
  }
  return null;
}

async function pass({ deliveryId, event, headers }) {
  const name = `${headers['X-Service-Event-Id']} ${headers['X-Service-Event-Type']}`;
  while (!stopping.signal.aborted) {
    const began = performance.now();
    const outcome = await post(event, headers);
    log(`${name} ${outcome} ${Math.round(performance.now() - began)} ms`);
    if (/^2\d\d$/.test(outcome)) {
      failures = 0;
      return saveState({ ...state, passed: [...state.passed, deliveryId] });
    }
    await rest(`${target} did not take it`);
  }
}

async function post(body, headers) {
  try {
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.arrayBuffer();
    return String(answer.status);
  } catch (error) {
    return reasonOf(error);
  }
}

/** Waits longer after each failure; a signal ends it. */
async function rest(why, leastMs = 0) {
  const pauseMs = Math.max(leastMs, Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS));
  failures += 1;
  log(`${why}; trying again in ${Math.round(pauseMs / 1000)} s`);
  await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
}

function readState() {
  try {
    return JSON.parse(readFileSync(STATE_FILE, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return { cursor: null, passed: [] };
    throw error;
  }
}

/** In one step, so that a crash leaves the old file or the new one. */
function saveState(changed) {
  Object.assign(state, changed);
  writeFileSync(`${STATE_FILE}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${STATE_FILE}.new`, STATE_FILE);
}

function reasonOf(error) {
  return error.cause?.code ?? error.code ?? error.name;
}

function log(line) {
  console.log(`${new Date().toISOString()} ${line}`);
}
