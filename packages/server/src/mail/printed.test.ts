import { expect, test } from 'vitest';
import { createPrinted } from './printed.ts';

test('a mail is printed as one block without control sequences for the terminal', async () => {
  const blocks: string[] = [];
  const mail = { id: 'mai_1', to: 'bob@example.com', subject: 'Hi \u001b[2J', kind: 'test', createdAt: 0 };
  await createPrinted((block) => blocks.push(block)).send({
    ...mail,
    text: 'Open\r\n\r\nhttps://a.example/\u009b1m\n',
  });
  expect(blocks).toEqual([
    '\n  Mail\n  | To: bob@example.com\n  | Subject: Hi \\u001b[2J\n  |\n  | Open\n  |\n  | https://a.example/\\u009b1m\n\n',
  ]);
});
