import { reportOperations, viewDailyStatistics } from '../shared/contract/reports.ts';
import { bangkokDay } from '../shared/domain/balance.ts';
import { dailyStatistics, statisticsRange } from '../shared/domain/statistics.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { readStatistics } from '../shared/store/money/balance.ts';

export const handler = serveRead(reportOperations.getDailyStatistics, async ({ world, query, nowMs }) => {
  const { from, to } = statisticsRange(query, bangkokDay(nowMs));
  return viewDailyStatistics(dailyStatistics(from, to, await readStatistics(world, from, to)));
});
