import { goProgram, ToolMissingError } from '../release/go-program.ts';
import { answers } from '../release/program.ts';
import { pythonPackages } from '../release/python-packages.ts';

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.20.2';

/** The machine's `helm`, or one built with Go, once. */
export async function findHelm(): Promise<string> {
  return (await answers('helm', ['version'])) ? 'helm' : goProgram(HELM);
}

/**
 * The directory in which Python finds the module `kubernetes_validate`. It contains the JSON schemas of the Kubernetes
 * versions.
 * @throws ToolMissingError
 */
export async function findValidator(): Promise<string> {
  return pythonPackages('dev/chart/requirements.txt').catch((error: unknown) => {
    throw new ToolMissingError('"python3 -m pip", which brings the validator, does not work here', {
      cause: error,
    });
  });
}
