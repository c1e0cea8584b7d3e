/**
 * Converts the tools in standard input as the libraries of the vendors do before they send them to a model. Fails where
 * a library refuses a schema.
 */
export const VENDORS = `
import copy, json, sys
from types import SimpleNamespace
from google.genai import types
from google.genai._mcp_utils import mcp_to_gemini_tool
from llguidance import LLMatcher
from openai.lib._pydantic import _ensure_strict_json_schema

def shown(schema):
    return schema.model_dump(mode='json', exclude_none=True)

def gemini(tool):
    asked = types.JSONSchema.model_validate(tool['inputSchema'])
    schema = types.Schema.from_json_schema(json_schema=asked, raise_error_on_unsupported_field=True)
    declared = {'name': tool['name'], 'description': tool['description'], 'parameters': schema}
    return shown(types.FunctionDeclaration(**declared).parameters)

def gemini_over_mcp(tool):
    [declaration] = mcp_to_gemini_tool(SimpleNamespace(**tool)).function_declarations
    return shown(declaration.parameters)

def openai_strict(tool):
    schema = copy.deepcopy(tool['inputSchema'])
    return _ensure_strict_json_schema(schema, path=(), root=schema)

def grammar(schema):
    problem = LLMatcher.validate_grammar(LLMatcher.grammar_from_json_schema(json.dumps(schema)))
    if problem:
        raise ValueError(problem)

converted = []
for tool in json.load(sys.stdin):
    strict = openai_strict(tool)
    for schema in (tool['inputSchema'], strict):
        grammar(schema)
    converted.append({
        'name': tool['name'], 'gemini': gemini(tool), 'geminiOverMcp': gemini_over_mcp(tool), 'strict': strict,
    })
print(json.dumps(converted))
`;
