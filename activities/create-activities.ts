import type { Activities } from '../src/contract/activities.ts';
import { callModel } from './call-model.ts';
import { checkPass } from './check-pass.ts';
import { closeExperiment } from './close-experiment.ts';
import { collectFeedback } from './collect-feedback.ts';
import { commitCandidate } from './commit-candidate.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { derive } from './derive.ts';
import { forecastPass } from './forecast-pass.ts';
import { freezeChampions } from './freeze-champions.ts';
import { withHeartbeat } from './heartbeat.ts';
import { holdShare } from './hold-share.ts';
import { judgeOutputs } from './judge-attempt.ts';
import { performAttempt } from './perform-attempt.ts';
import { prepareExperiment } from './prepare-experiment.ts';
import { recordDecision } from './record-decision.ts';
import { RecordStore } from './record-store.ts';
import { refreshReport } from './refresh-report.ts';
import { rejudgeAttempt } from './rejudge-attempt.ts';
import { discloseQuery, reserveQuery } from './selection-query.ts';
import { typedFailures } from './typed-failures.ts';
import { untilServed } from './until-served.ts';
import { writeReport } from './write-report.ts';

/** All effects of the engine over one set of dependencies. */
export function createActivities(
  dependencies: ActivityDependencies,
  records: RecordStore = new RecordStore(dependencies),
): Activities {
  const prepare = prepareExperiment(dependencies, records);
  const judge = judgeOutputs(dependencies);
  const report = writeReport(dependencies, records);
  const again = rejudgeAttempt(dependencies, records, judge);
  const refresh = refreshReport(dependencies, records);
  const close = closeExperiment(dependencies, records, prepare, report);
  const served = untilServed(dependencies, records);
  return typedFailures({
    prepareExperiment: (input) => withHeartbeat(prepare(input)),
    performAttempt: performAttempt(dependencies, records, judge),
    forecastPass: forecastPass(records),
    holdShare: holdShare(dependencies, records),
    collectFeedback: collectFeedback(dependencies, records),
    callModel: callModel(dependencies, records),
    untilServed: (input) => withHeartbeat(served(input)),
    checkPass: checkPass(dependencies, records),
    derive: derive(dependencies, records),
    commitCandidate: commitCandidate(dependencies, records),
    reserveQuery: reserveQuery(dependencies),
    discloseQuery: discloseQuery(dependencies, records),
    freezeChampions: freezeChampions(dependencies, records),
    recordDecision: recordDecision(dependencies, records),
    rejudgeAttempt: (input) => withHeartbeat(again(input)),
    refreshReport: (input) => withHeartbeat(refresh(input)),
    closeExperiment: (input) => withHeartbeat(close(input)),
    writeReport: (input) => withHeartbeat(report(input)),
  });
}
