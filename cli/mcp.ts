import { InvalidArgumentError } from 'commander';
import { splitCommandLine } from '../conformance/common/shell.js';
import { parseUrl } from '../spec/addresses.js';
import { type AnyCommand, Command, type InferFlags } from './typed-commander.js';
import { collect } from './values.js';

const EXAMPLES = `
Examples:
  taskdouble mcp                                              a mock, recordings and explanations for an agent
  taskdouble mcp --allow-command "python3 my_client.py"       it may also run and search this client
  taskdouble mcp --allow-service http://127.0.0.1:8000        it may also judge this service

In the configuration of an agent:
  {"mcpServers": {"taskdouble": {"command": "taskdouble", "args": ["mcp", "--allow-command", "python3 my_client.py"]}}}

Exit codes: 0 the agent closed the connection, 2 wrong usage, 4 a fault of taskdouble itself.`;

function collectCommand(line: string, before: string[]): string[] {
  if (splitCommandLine(line)?.length) return collect(line, before);
  throw new InvalidArgumentError(
    'Expected a command line such as "python3 my_client.py", with quotes closed.',
  );
}

function collectService(address: string, before: string[]): string[] {
  if (/^https?:$/.test(parseUrl(address)?.protocol ?? '')) return collect(address, before);
  throw new InvalidArgumentError('Expected an address such as http://127.0.0.1:8000.');
}

function declareMcp() {
  return new Command('mcp')
    .description(
      'Serve the Model Context Protocol on stdin and stdout: an agent starts mocks, sets faults, reads timelines, and judges clients, services and recordings. It runs only commands that are allowed here, and reads only files below the working directory.',
    )
    .option('--allow-command <command>', 'a client that the agent may run (repeatable)', collectCommand, [])
    .option('--allow-service <url>', 'a service that the agent may judge (repeatable)', collectService, [])
    .addHelpText('after', EXAMPLES);
}

export function createMcpCommand(): AnyCommand {
  return declareMcp().action(async (flags: InferFlags<typeof declareMcp>) => {
    const { serveMcp } = await import('./mcp/serve.js');
    await serveMcp({
      commands: flags.allowCommand,
      services: flags.allowService,
      commandOption: '--allow-command',
    });
  });
}
