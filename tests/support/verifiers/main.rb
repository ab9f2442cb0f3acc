require_relative "verifier"

$stdin.each_line(chomp: true) do |line|
  now, secrets, header, body = line.split("\t", -1)
  puts verify_webhook(body.unpack1("m"), header.unpack1("m"), secrets.split(","), now.to_i)
end
