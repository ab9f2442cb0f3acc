-- Every client has a name and a slug of its own: the run's, and a count.
local run, count

init = function(args)
  run, count = args[1], 0
end

request = function()
  count = count + 1
  local body = string.format('{"name":"Bench %s %d","slug":"bench-%s-%d"}', run, count, run, count)
  return wrk.format('POST', nil, { ['Content-Type'] = 'application/json', Authorization = wrk.headers.Authorization }, body)
end

-- One line of JSON at the end, for load.ts.
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"errors":%d,"micros":%d,"p50":%d,"p99":%d}\n', summary.requests,
    e.status + e.connect + e.read + e.write + e.timeout, summary.duration, latency:percentile(50), latency:percentile(99)))
end
