-- Arguments: the app's id and secret, and tokens, which are asked about in turn.
local forms, count = {}, 0

init = function(args)
  for i = 3, #args do
    forms[i - 2] = string.format('token=%s&client_id=%s&client_secret=%s', args[i], args[1], args[2])
  end
end

request = function()
  count = count + 1
  return wrk.format('POST', nil, { ['Content-Type'] = 'application/x-www-form-urlencoded' }, forms[count % #forms + 1])
end

-- One line of JSON at the end, for wrk.ts.
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"errors":%d,"micros":%d,"p50":%d,"p99":%d}\n', summary.requests,
    e.status + e.connect + e.read + e.write + e.timeout, summary.duration, latency:percentile(50), latency:percentile(99)))
end
