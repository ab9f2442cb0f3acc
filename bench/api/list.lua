-- One line of JSON at the end, for load.ts.
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"errors":%d,"micros":%d,"p50":%d,"p99":%d}\n', summary.requests,
    e.status + e.connect + e.read + e.write + e.timeout, summary.duration, latency:percentile(50), latency:percentile(99)))
end
