import { judge, type AuditCheck } from '../audit-check.ts';

/** Every answer that was paid for is kept as it was given. */
export const answersCheck: AuditCheck = {
  name: 'answers',
  run: ({ lock, ledger }) => {
    let kept = 0;
    for (const row of ledger.calls(lock.id)) if (row.responseSha256 !== null) kept += 1;
    return judge(
      ledger.damagedAnswers(lock.id).map((name) => `the answer of ${name} is missing or changed`),
      `${kept} answers hash to their rows`,
      'restore ledger.db from a copy',
    );
  },
};
