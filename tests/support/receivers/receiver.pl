# Receiver of deliveries with a fault, which is the path: /hooks/<fault>. GET /effects/<fault> returns the effects so far.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256_hex);
use Encode qw(decode encode FB_CROAK);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP;
use Time::HiRes qw(sleep);
use Time::Local qw(timegm);

my ($SECRET, $FORMER, $TENANT) = @ENV{qw(SECRET FORMER TENANT)};
# State of all requests: a directory for each event, because some requests have their own process.
my $STATE = tempdir(CLEANUP => 0);
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';
my $received = 0;
my %TEXT = (200 => 'OK', 400 => 'Bad Request', 403 => 'Forbidden', 409 => 'Conflict', 413 => 'Too Large', 500 => 'Error');

my $server = IO::Socket::INET->new(Listen => 128, LocalAddr => '127.0.0.1', LocalPort => 0) or die $!;
$| = 1;
print $server->sockport, "\n";
while (my $client = $server->accept) {
    serve($client);
    close $client;
}

sub serve {
    my ($client) = @_;
    my $line = <$client> // return;
    my ($method, $path) = split / /, $line;
    my %headers;
    while (defined(my $line = <$client>)) {
        $line =~ s/\r?\n//;
        last if $line eq '';
        my ($name, $value) = split /:\s*/, $line, 2;
        $headers{lc $name} = exists $headers{lc $name} ? "$headers{lc $name}, $value" : $value;
    }
    my (undef, undef, $fault) = split m{/}, $path;
    my $folder = "$STATE/$fault";
    mkdir $folder;
    if ($method eq 'GET') {
        my @effects = glob "$folder/effect-*";
        return answer($client, 200, scalar @effects);
    }
    my $body = '';
    read $client, $body, $headers{'content-length'} // 0;
    return answer($client, 308, '', 'Location: /hooks/good') if $fault eq 'redirect';
    return answer($client, 413) if $fault eq 'small-limit' && length $body > 100 * 1024;
    $received++;
    # These faults show with several requests at a time. The others do without the cost of a process.
    my $is_forked = $fault =~ /^(?:slow|serial)$/;
    return if $is_forked && fork;
    handle($client, $fault, $headers{'x-platform-signature'}, $body, $folder);
    exit 0 if $is_forked;
}

sub handle {
    my ($client, $fault, $signature, $body, $folder) = @_;
    my $lock = "$folder/running";
    return answer($client, 503) if $fault eq 'serial' && !mkdir $lock;
    sleep 3 if $fault eq 'slow';
    sleep 0.015 if $fault eq 'serial';
    my $status = eval { receive($fault, $signature, $body, $folder) } // 500;
    rmdir $lock;
    return if $status eq 'close';
    answer($client, $status);
}

sub answer {
    my ($client, $status, $text, @headers) = @_;
    $text //= '';
    print $client join("\r\n", "HTTP/1.1 $status " . ($TEXT{$status} // 'Other'), @headers,
        'Content-Length: ' . length $text, 'Connection: close', '', $text);
}

sub receive {
    my ($fault, $header, $body, $folder) = @_;
    if ($fault ne 'no-verify' && !verify($fault, $header, $body)) {
        die 'the signature does not match' if $fault eq 'crash';
        return $fault eq 'close' ? 'close' : 400;
    }
    # JSON::PP reads one character at a time: 0.7 s of CPU time for the body of 1 MiB without this.
    $body =~ s/x{1000,}/x/;
    my $event = eval { decode_json(encode('UTF-8', decode('UTF-8', $body, FB_CROAK))) };
    if (ref $event ne 'HASH' || ref $event->{data} ne 'HASH') {
        return $fault =~ /^no-(?:shape|verify)$/ ? 200 : 400;
    }
    return 403 if $fault !~ /^no-(?:tenant|verify)$/ && $event->{tenant_id} ne $TENANT;
    return 400 if $fault eq 'strict-types' && $event->{type} !~ /^(?:client|group|user|tenant|location|oauth)\./;
    return 422 if $fault eq 'strict-fields' && keys %$event != 6;
    if ($fault eq 'order') {
        my ($year, $month, $day, $hour, $minute, $second) = $event->{created} =~ /\d+/g;
        return 409 if time - timegm($second, $minute, $hour, $day, $month - 1, $year) > 30;
    }
    if ($fault eq 'double-effect') {
        mkdir "$folder/effect-$event->{id}-$received";
        return 200;
    }
    return 200 if mkdir "$folder/effect-$event->{id}";
    return $fault eq 'conflict' ? 409 : 200;
}

sub verify {
    my ($fault, $header, $body) = @_;
    return $fault eq 'optional' if !defined $header || $header eq '';
    my @parts = map { s/^\s+|\s+$//gr } split /,/, $header;
    my @times = map { /^t=(.*)/ ? $1 : () } @parts;
    return 0 if @times != 1 || $times[0] !~ /^[0-9]+$/;
    my $age = time - $times[0];
    my $tolerance = $fault eq 'short-age' ? 60 : 300;
    return 0 if $fault ne 'no-age' && $age > $tolerance;
    return 0 if $fault !~ /^no-(?:age|future)$/ && $age < -$tolerance;
    my $signed = $body;
    $signed = encode('UTF-8', decode('ISO-8859-1', $body)) if $fault eq 'latin1';
    my @keys = ($SECRET, $fault eq 'empty-secret' ? '' : (), $fault eq 'former' ? $FORMER : ());
    my @expected = map { hmac_sha256_hex("$times[0].$signed", $_) } @keys;
    my @digests = map { /^v1=(.*)/ ? $1 : () } @parts;
    @digests = @digests[0 .. 0] if $fault eq 'first-v1' && @digests;
    for my $digest (@digests) {
        for my $own (@expected) {
            return 1 if $fault eq 'prefix' ? index($own, $digest) == 0 : $digest eq $own;
        }
    }
    return 0;
}
