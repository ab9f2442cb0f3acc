import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { DEVELOPER_GROUPS } from './groups.ts';

/** `plat login` */
export function loginCommand(contextOf: ContextOf): Command {
  const command = new Command('login')
    .summary(DEVELOPER_GROUPS.login)
    .description(
      'Log in as a developer. It shows a code and the address of a page; you approve the code there, in any browser.\nThe login gives access to keys, apps, consents and the sandbox. It is saved in a private file until plat logout.',
    )
    .option('--no-browser', 'do not open the page, only print its address')
    .addHelpText('after', LOGIN_HELP);
  return command.action(async () => {
    const { runLogin } = await import('./login.ts');
    await runLogin(contextOf(command), { browser: command.opts()['browser'] === true });
  });
}

/** `plat logout` */
export function logoutCommand(contextOf: ContextOf): Command {
  const command = new Command('logout')
    .summary(DEVELOPER_GROUPS.logout)
    .description('Log out, on this machine and on the server. A saved key stays.');
  return command.action(async () => {
    const { runLogout } = await import('./logout.ts');
    await runLogout(contextOf(command));
  });
}

const LOGIN_HELP = `
The server is the one of --base-url or PLAT_BASE_URL, the sandbox of this folder, or the one of the last login.
With --json it prints two lines: the code with its address, and who is logged in.

Next:
  plat auth status
  plat keys mint --save`;
