<?php

require __DIR__ . '/verifier.php';

foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    [$now, $secrets, $header, $body] = explode("\t", $line);
    echo var_export(verify_webhook(base64_decode($body), base64_decode($header), explode(',', $secrets), (int) $now), true), "\n";
}
