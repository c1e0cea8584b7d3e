/** Each reads deliveries as JSON from stdin, asks the snippet about each, and writes the list of its verdicts. */

export const NODE_HARNESS = `
import { isGenuine } from './verify.mjs';
import { answer } from './answer.mjs';
await answer(({ headers, body, secret }) => isGenuine(headers['x-service-signature'], body, secret));
`;

export const NODE_STRIPE_HARNESS = `
import { readEvent } from './stripe.mjs';
import { answer } from './answer.mjs';
await answer(({ headers, body, secret }) => Boolean(readEvent(headers['x-service-signature'], body, secret)));
`;

export const NODE_STANDARD_HARNESS = `
import { readEvent } from './standard.mjs';
import { answer } from './answer.mjs';
await answer(({ headers, body, secret }) => Boolean(readEvent(headers, body, secret)));
`;

/** A library throws where our own code says false. */
export const NODE_ANSWER = `
import { text } from 'node:stream/consumers';
export async function answer(accepts) {
  const verdicts = JSON.parse(await text(process.stdin)).map(({ body, ...delivery }) => {
    try {
      return accepts({ ...delivery, body: Buffer.from(body, 'base64') });
    } catch (error) {
      if (!/ignature|imestamp|eaders/.test(error.message)) throw error;
      return false;
    }
  });
  process.stdout.write(JSON.stringify(verdicts));
}
`;

export const PYTHON_HARNESS = `
import base64, json, sys
from verify import is_genuine
print(json.dumps([
    is_genuine(each["headers"].get("x-service-signature"), base64.b64decode(each["body"]), each["secret"])
    for each in json.load(sys.stdin)
]))
`;

export const PHP_HARNESS = `<?php
require 'verify.php';
echo json_encode(array_map(
    fn ($each) => isGenuine($each['headers']['x-service-signature'] ?? null, base64_decode($each['body']), $each['secret']),
    json_decode(file_get_contents('php://stdin'), true),
));
`;

/** Asks the function and the handler, which must agree. */
export const GO_HARNESS = `package main

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
)

func main() {
	var deliveries []struct {
		Headers map[string]string
		Body    []byte
		Secret  string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, each := range deliveries {
		genuine := isGenuine(each.Headers["x-service-signature"], each.Body, each.Secret)
		os.Setenv("WEBHOOK_SECRET", each.Secret)
		request := httptest.NewRequest("POST", "/hook", bytes.NewReader(each.Body))
		for name, value := range each.Headers {
			request.Header.Set(name, value)
		}
		response := httptest.NewRecorder()
		hook(response, request)
		if genuine != (response.Code == 200) || !genuine && response.Code != 401 {
			panic("the handler answers otherwise than the function")
		}
		verdicts = append(verdicts, genuine)
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`;

export const CSHARP_HARNESS = `
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

var deliveries = JsonDocument.Parse(Console.In.ReadToEnd()).RootElement.EnumerateArray();
Console.Write(JsonSerializer.Serialize(deliveries.Select(each => WebhookSignature.IsGenuine(
    each.GetProperty("headers").TryGetProperty("x-service-signature", out var header) ? header.GetString() : null,
    each.GetProperty("body").GetBytesFromBase64(),
    each.GetProperty("secret").GetString()!)).ToList()));
`;

export const CSHARP_PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework>
    <Nullable>enable</Nullable>
  </PropertyGroup>
</Project>
`;
