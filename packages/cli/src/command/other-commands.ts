/** Top-level commands that are not families of operations, with their summaries. */
export const OTHER_COMMANDS = {
  dev: 'Run the platform on this machine: plat dev, plat dev -- npm test',
  listen: 'Send live events to your machine: plat listen --to http://localhost:3000/hooks',
  trigger: 'Cause an event by a real change: plat trigger client.created',
  api: 'Send any request: plat api GET /v1/clients',
  explain: 'Explain an error code, event type or scope: plat explain NOT_FOUND',
  doctor: 'Find problems: server, key, clock, files, webhook endpoints',
  open: 'Open the console or the reference in the browser: plat open docs',
  commands: 'Every command, as a list or as data: plat commands --json',
  completion: 'Completion for bash, zsh, fish and PowerShell: plat completion bash',
  version: 'The versions of plat, Node.js and the system',
  help: 'Show the help of a command or topic: plat help clients create, plat help exit-codes',
} as const;
