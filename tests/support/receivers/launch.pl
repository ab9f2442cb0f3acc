# Receiver of launch tokens with a fault. The path is /launch/<fault>/<port of the issuer>. Requests are served one by one.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256 sha256_hex);
use HTTP::Tiny;
use IO::Socket::INET;
use JSON::PP;
use Math::BigInt;
use MIME::Base64 qw(decode_base64url);

my ($AUDIENCE, $ENTITLEMENT) = @ENV{qw(AUDIENCE ENTITLEMENT)};
my %STATES;
my $DIGEST_INFO = '3031300d060960864801650304020105000420';

my $server = IO::Socket::INET->new(Listen => 128, LocalAddr => '127.0.0.1', LocalPort => 0) or die $!;
$| = 1;
print $server->sockport, "\n";
while (my $client = $server->accept) {
    my ($method, $path) = split / /, scalar <$client>;
    my %headers;
    while (defined(my $line = <$client>)) {
        $line =~ s/\r?\n//;
        last if $line eq '';
        my ($name, $value) = split /:\s*/, $line, 2;
        $headers{lc $name} = $value;
    }
    my $body = '';
    read $client, $body, $headers{'content-length'} // 0;
    my $status = launch($path, \%headers, $body);
    print $client join("\r\n", "HTTP/1.1 $status Status", ($status < 400 ? 'Location: /home' : ()),
        'Content-Length: 0', 'Connection: close', '', '');
    close $client;
}

sub launch {
    my ($path, $headers, $body) = @_;
    my ($address, $query) = split /\?/, $path;
    my (undef, undef, $fault, $port) = split m{/}, $address;
    my $state = $STATES{$fault} //= { issuer => "http://127.0.0.1:$port", used => {} };
    return 403 if $fault eq 'csrf' && $headers->{origin};
    return 413 if $fault eq 'small-limit' && length $body > 8 * 1024;
    my ($token) = $body =~ /^launch_token=(.*)/;
    ($token) = ($query // '') =~ /^launch_token=(.*)/ if $fault eq 'query' && !defined $token;
    my $claims = eval { verify($fault, $token, $state) };
    return $fault eq 'crash' ? 500 : 401 if !$claims;
    my @held = ref $claims->{entitlements} ? @{ $claims->{entitlements} } : ($claims->{entitlements} // ());
    my $has = $fault eq 'substring' ? index("@held", $ENTITLEMENT) >= 0 : grep { $_ eq $ENTITLEMENT } @held;
    return $fault eq 'wrong-status' ? 401 : 403 if !$has && $fault ne 'no-entitlement';
    return 401 if $fault ne 'twice' && $state->{used}{ $claims->{jti} }++;
    return $fault eq 'repost' ? 307 : 303;
}

sub verify {
    my ($fault, $token, $state) = @_;
    my ($head, $body, $signature, @more) = split /\./, $token // '', -1;
    die 'parts' if @more || !defined $signature;
    my $header = decode_json(decode_base64url($head));
    die 'crit' if $header->{crit} && $fault ne 'ignores-crit';
    if ($fault eq 'embedded-key' && $header->{jwk}) {
        die 'signature' if !matches($header->{jwk}, "$head.$body", $signature);
    }
    elsif ($fault eq 'alg-none' && lc $header->{alg} eq 'none') { }
    elsif ($fault eq 'alg-deny-list' && $header->{alg} eq 'None') { }
    elsif ($fault ne 'no-verify') {
        die 'alg' if $header->{alg} ne 'RS256';
        die 'signature' if !matches(key_of($fault, $header->{kid}, $state), "$head.$body", $signature);
    }
    my $claims = decode_json(decode_base64url($body));
    my $same = $fault eq 'issuer-prefix' ? index($claims->{iss} // '', $state->{issuer}) == 0
        : ($claims->{iss} // '') eq $state->{issuer};
    die 'iss' if !$same && $fault ne 'no-issuer';
    my $audience = $claims->{aud} // '';
    die 'aud' if (ref $audience || $audience ne $AUDIENCE) && $fault ne 'no-audience';
    my $exp = $claims->{exp} // ($fault eq 'optional-exp' ? time : '');
    die 'exp' if ($exp !~ /^\d+$/ || time - 30 >= $exp) && $fault ne 'no-expiry';
    die 'nbf' if ($claims->{nbf} // 0) > time + 30 && $fault ne 'no-nbf';
    if ($fault ne 'no-claims') {
        for my $name (qw(tenant client user role)) {
            my $value = $claims->{$name};
            # JSON::PP writes a number without quotes.
            die $name if !defined $value || encode_json([$value]) !~ /^\["./ || $value eq '';
        }
        die 'entitlements' if ref $claims->{entitlements} ne 'ARRAY'
            && !($fault eq 'substring' && defined $claims->{entitlements});
    }
    return $claims;
}

sub matches {
    my ($jwk, $signed, $signature) = @_;
    my $modulus = number($jwk->{n});
    my $size = length decode_base64url($jwk->{n});
    return 0 if length(decode_base64url($signature)) != $size;
    my $found = number($signature)->bmodpow(number($jwk->{e}), $modulus)->to_hex;
    my $digest = $DIGEST_INFO . sha256_hex($signed);
    return $found eq '1' . 'ff' x ($size - length($digest) / 2 - 3) . "00$digest";
}

sub number { return Math::BigInt->from_hex(unpack 'H*', decode_base64url($_[0])) }

sub key_of {
    my ($fault, $kid, $state) = @_;
    my $known = grep { $_->{kid} eq $kid } @{ $state->{keys} // [] };
    if (!$state->{keys} || $fault eq 'fetch-each' || (!$known && $fault !~ /^(?:no-refetch|first-key)$/)) {
        my $response = HTTP::Tiny->new->get("$state->{issuer}/.well-known/jwks.json");
        $state->{keys} = decode_json($response->{content})->{keys};
    }
    my @keys = @{ $state->{keys} };
    return $keys[0] if $fault eq 'first-key';
    return $keys[-1] if $fault eq 'last-key';
    my ($key) = grep { $_->{kid} eq $kid } @keys;
    return $key // die 'unknown kid';
}
