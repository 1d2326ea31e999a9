import type { Activities } from '../src/contract/activities.ts';
import { callModel } from './call-model.ts';
import { collectFeedback } from './collect-feedback.ts';
import { commitCandidate } from './commit-candidate.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { derive } from './derive.ts';
import { forecastPass } from './forecast-pass.ts';
import { freezeChampions } from './freeze-champions.ts';
import { withHeartbeat } from './heartbeat.ts';
import { performAttempt } from './perform-attempt.ts';
import { prepareExperiment } from './prepare-experiment.ts';
import { recordDecision } from './record-decision.ts';
import { RecordStore } from './record-store.ts';
import { discloseQuery, reserveQuery } from './selection-query.ts';
import { typedFailures } from './typed-failures.ts';
import { writeReport } from './write-report.ts';

/** All effects of the engine over one set of dependencies. */
export function createActivities(
  dependencies: ActivityDependencies,
  records: RecordStore = new RecordStore(dependencies),
): Activities {
  const prepare = prepareExperiment(dependencies, records);
  const report = writeReport(dependencies, records);
  return typedFailures({
    prepareExperiment: (input) => withHeartbeat(prepare(input)),
    performAttempt: performAttempt(dependencies, records),
    forecastPass: forecastPass(records),
    collectFeedback: collectFeedback(dependencies, records),
    callModel: callModel(dependencies),
    derive: derive(dependencies, records),
    commitCandidate: commitCandidate(dependencies, records),
    reserveQuery: reserveQuery(dependencies),
    discloseQuery: discloseQuery(dependencies, records),
    freezeChampions: freezeChampions(dependencies, records),
    recordDecision: recordDecision(dependencies, records),
    writeReport: (input) => withHeartbeat(report(input)),
  });
}
