import type { McpServer } from '@modelcontextprotocol/server';

const say = (lines: readonly string[]) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: lines.join('\n') } }],
});

/** What the user may ask an agent to do with a client. */
export function addClientPrompt(server: McpServer): void {
  server.registerPrompt(
    'make-this-client-robust',
    {
      title: 'Make this client robust',
      description: 'Find and mend what a client of the API does wrong, races included.',
    },
    () =>
      say([
        'Make the client robust:',
        '1. check_client without scenarios. For each cause, explain its rule, read the code of the client, and mend the defect itself, not the symptom.',
        '2. Run check_client with the scenario of its run_again line, then with all scenarios, until the verdict is "conforms".',
        '3. explore_client. Mend each race, replay_race its file, and search again until no race is found.',
        '4. check_client with search 200.',
        'Change the client only. Report what was wrong, what you changed, and the last verdicts.',
      ]),
  );
}

/** What the user may ask an agent to do with a service. */
export function addServicePrompt(server: McpServer): void {
  server.registerPrompt(
    'build-a-service-that-conforms',
    {
      title: 'Build a service that conforms',
      description: 'Build or mend a service until it keeps the rules of the API.',
    },
    () =>
      say([
        'Make the service conform:',
        '1. Read taskdouble://requirements and the page taskdouble://docs/judge-a-service.',
        '2. check_service. Work in the order that the report gives: create and poll, tools, sessions, errors, resources.',
        '3. For each cause, explain its rule, mend the service, and run check_service with only its case.',
        '4. Once everything passes, check_service with search 300.',
        'What the description leaves open is yours to choose. Report the last verdict and what is left out.',
      ]),
  );
}
