<?php
return [
    'default' => 'sqlite',
    'connections' => ['sqlite' => ['driver' => 'sqlite', 'database' => dirname(__DIR__) . '/database/database.sqlite']],
    'migrations' => 'migrations',
];
