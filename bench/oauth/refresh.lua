-- Arguments: the app's id and secret, and refresh tokens. Each answer's token goes to the end of the queue, so that every
-- token is presented once, and every family gets its turn.
local queue, first, last, secret = {}, 1, 0

init = function(args)
  secret = string.format('client_id=%s&client_secret=%s', args[1], args[2])
  for i = 3, #args do
    last = last + 1
    queue[last] = args[i]
  end
end

request = function()
  local token = queue[first]
  queue[first] = nil
  first = first + 1
  return wrk.format('POST', nil, { ['Content-Type'] = 'application/x-www-form-urlencoded' },
    string.format('grant_type=refresh_token&refresh_token=%s&%s', token, secret))
end

response = function(status, headers, body)
  last = last + 1
  queue[last] = body:match('"refresh_token":"([^"]+)"')
end

-- One line of JSON at the end, for wrk.ts.
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"errors":%d,"micros":%d,"p50":%d,"p99":%d}\n', summary.requests,
    e.status + e.connect + e.read + e.write + e.timeout, summary.duration, latency:percentile(50), latency:percentile(99)))
end
